SELECT form FROM form
